/**
 * Port to the Pix directory, which registers the holder of each key, and its reports. One interface, an adapter per
 * network.
 */
import type { ClaimKind } from "@malote/domain/own-pix-key";
import { claimKinds } from "@malote/domain/own-pix-key";
import type { PixKeyType } from "@malote/domain/pix-key";
import * as z from "zod";
import type { Connection } from "./connection.ts";
import { outsideInstant } from "./instant.ts";

interface RequestBase {
  /** Id that we make and store before the request; the directory answers a repeated id with the first result. */
  id: string;
  companyId: string;
}

export interface Owner {
  name: string;
  taxId: string;
}

export type DirectoryRequest =
  /** `key` is null for a random key, which the directory generates. */
  | (RequestBase & { kind: "register"; keyType: PixKeyType; key: string | null; owner: Owner })
  | (RequestBase & { kind: "remove"; key: string })
  /** The request's id becomes the id of the claim. */
  | (RequestBase & { kind: "claim"; claimKind: ClaimKind; key: string; owner: Owner })
  /** Sent by the claimer of the key or by its holder. */
  | (RequestBase & { kind: "cancel_claim"; claimId: string })
  | (RequestBase & { kind: "confirm_claim"; claimId: string });

export type DirectoryAnswer =
  | { kind: "registered"; key: string; at: string }
  /** The key has a holder: the same owner at another institution, or another owner. */
  | { kind: "held"; by: "same_owner" | "other_owner" }
  | { kind: "done" }
  /** The claim has ended meanwhile; a later report gives the outcome. */
  | { kind: "over" }
  /** Another claim of the key is open. */
  | { kind: "claim_open" }
  | { kind: "refused" };

/** Validates a report about a claim, because an external network may break its types. */
export const directoryReport = z.object({
  /** Directory's id of the report; a repeated id is the same report. */
  id: z.string().min(1).max(200),
  companyId: z.guid(),
  claimId: z.guid(),
  claimKind: z.enum(claimKinds),
  key: z.string().min(1).max(77),
  /** Role of the company: it claims the key, or holds it. */
  side: z.enum(["claimer", "holder"]),
  /** `opened` is sent to the holder; `under_way` to the claimer after the holder was notified. */
  happened: z.enum(["opened", "under_way", "completed", "cancelled"]),
  at: outsideInstant,
});
export type DirectoryReport = z.output<typeof directoryReport>;

export interface Directory extends Connection<DirectoryReport> {
  /**
   * Sends a request. Rejects when the result is unknown; retry with the same id. Never call it inside a transaction.
   */
  ask(request: DirectoryRequest): Promise<DirectoryAnswer>;
  /** Returns unacknowledged reports, oldest first. A report may be returned twice. */
  reports(max: number): Promise<readonly DirectoryReport[]>;
  /**
   * Acknowledges reports, which are then never delivered again. A claim of a key that the company holds proceeds from
   * here, because its institution has been notified.
   */
  acknowledge(ids: readonly string[]): Promise<void>;
}
