/** Source of the current time for all code. */
export interface Clock {
  now(): Date;
  /**
   * Milliseconds by which the clock is ahead of real time, which sessions use. Only the sandbox's clock can be ahead.
   */
  aheadMs?(): number;
}
