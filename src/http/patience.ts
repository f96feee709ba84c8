// How long the transports wait for clients that take their time; the same for all.

/** A reader that takes longer than this for one answer is cut off. */
export const SEND_TIMEOUT = 60_000

/** How long, and for how many bytes, a body that is too large is read on so that its sender can see the answer. */
export const LINGER_TIME = 2_000
export const LINGER_BYTES = 8 * 1024 * 1024

/** How long a closing server waits for a request that may be on its way over a kept-alive connection. */
export const QUIET_TIME = 20
