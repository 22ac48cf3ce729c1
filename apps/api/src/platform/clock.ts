/** What time it is, for everything that asks. */
export interface Clock {
  now(): Date;
  /** By how many milliseconds it is ahead of real time, on which sessions depend. Only the sandbox's is. */
  aheadMs?(): number;
}
