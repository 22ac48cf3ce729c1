/** What other features bring to failures. */
export type { RetryKind } from "./kinds.ts";
