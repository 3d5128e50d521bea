//! The codes of the kinds of steps, in one list; each code is its place in the list. Copies of the
//! list in other languages are checked against [`STEP_KINDS`] by tests.

macro_rules! codes {
    ($($name:ident $text:literal,)+) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Code { $($name),+ }

        $(pub(crate) const $name: u8 = Code::$name as u8;)+

        /// Names of the kinds of steps; a kind's code is its index.
        pub const STEP_KINDS: [&str; [$($text),+].len()] = [$($text),+];
    };
}

codes! {
    SEND "send",
    RECEIVE "receive",
    START_SEND "start_send",
    START_RECEIVE "start_receive",
    WAIT_ALL "wait_all",
    COMPUTE "compute",
    MARK "mark",
    REPEAT "repeat",
    END_REPEAT "end_repeat",
    BROADCAST "broadcast",
    REDUCE "reduce",
    ALL_REDUCE "all_reduce",
    BARRIER "barrier",
    ALL_GATHER "all_gather",
    ALL_TO_ALL "all_to_all",
    GATHER "gather",
    SCATTER "scatter",
    DATAGRAM "datagram",
    RAW_DATAGRAM "raw_datagram",
    DISK_READ "disk_read",
    DISK_WRITE "disk_write",
    DISK_FLUSH "disk_flush",
    WAIT "wait",
    REST "rest",
    STREAM "stream",
    SIGNAL "signal",
    WAIT_FOR "wait_for",
    SYNC_SEND "sync_send",
    START_SYNC_SEND "start_sync_send",
    MEMBER "member",
    REDUCE_SCATTER "reduce_scatter",
}
