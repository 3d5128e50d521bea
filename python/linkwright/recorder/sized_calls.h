/* The calls that have counts: included once for each type of count. */
#include "message_calls.h"
#include "collective_calls.h"
#include "one_sided_calls.h"
#include "left_out_calls.h"
