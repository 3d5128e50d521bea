// Entry of the script that draws the charts of a page, such as the figure of a study, and nothing
// else: the numbers are below them as tables.
import { drawCharts, writtenCharts } from "./charts";
import { wireTheme } from "./theme";

document.documentElement.classList.add("has-script");
drawCharts(writtenCharts());
wireTheme();
