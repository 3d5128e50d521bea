"""Tables, drawings, charts and the HTML report. They read Networks, Results and studies without
changing them.
"""
