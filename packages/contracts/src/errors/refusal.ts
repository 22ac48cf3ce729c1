/** One line of the catalogue of refusals. */
export type Refusal = readonly [
  /** HTTP status. */
  status: number,
  /** Portuguese sentence. */
  text: string,
  /** The value of `Retry-After`: seconds, or the minutes in the error's data (one minute where the data has none). */
  more?: { readonly retryAfter: number | "minutes" },
];
