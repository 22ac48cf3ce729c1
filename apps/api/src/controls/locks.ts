/**
 * Locks of controls, and the two that an approved correction takes together with payouts. payouts/locks.ts has their
 * order.
 */
import { declareLock } from "../platform/db/locks.ts";

/** Codes of boletos and charges that are about to be paid. */
export const boletoCodesLock = declareLock("billets");
/** Held between the check for equal payments and their release. */
export const equalPaymentsLock = declareLock("ticks");
/** Sums that users of the company sent out on a day. */
export const sumsLock = declareLock("outflows");
/** Requests of one user for approval. */
export const requesterLock = declareLock("asking");
export const noticesLock = declareLock("notices");
export const policiesLock = declareLock("policies");
