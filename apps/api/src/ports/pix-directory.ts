/**
 * What Malote asks of the Pix directory, which knows who holds each key, and what it receives back. One interface, an adapter
 * per network.
 */
import type { ClaimKind } from "@malote/domain/own-pix-key";
import { claimKinds } from "@malote/domain/own-pix-key";
import type { PixKeyType } from "@malote/domain/pix-key";
import * as z from "zod";
import { outsideInstant } from "./instant.ts";

interface Asked {
  /** Made by us and stored before asking; the directory answers a repeated id as it did the first time. */
  id: string;
  companyId: string;
}

export interface Owner {
  name: string;
  taxId: string;
}

export type DirectoryRequest =
  /** `key` is null for a random key, which the directory makes. */
  | (Asked & { kind: "register"; keyType: PixKeyType; key: string | null; owner: Owner })
  | (Asked & { kind: "remove"; key: string })
  /** The request's id becomes the claim's. */
  | (Asked & { kind: "claim"; claimKind: ClaimKind; key: string; owner: Owner })
  /** By the claimer of the key, or by its holder. */
  | (Asked & { kind: "cancel_claim"; claimId: string })
  | (Asked & { kind: "confirm_claim"; claimId: string });

export type DirectoryAnswer =
  | { kind: "registered"; key: string; at: string }
  /** The key is held: by the same owner at another institution, or by another owner. */
  | { kind: "held"; by: "same_owner" | "other_owner" }
  | { kind: "done" }
  /** The claim has ended meanwhile; a later report says how. */
  | { kind: "over" }
  /** Another claim of the key is open. */
  | { kind: "claim_open" }
  | { kind: "refused" };

/** What happened to a claim. A network is outside: its types are promises, not facts. */
export const directoryReport = z.object({
  /** The directory's own id of the report: a repeated id is the same report. */
  id: z.string().min(1).max(200),
  companyId: z.guid(),
  claimId: z.guid(),
  claimKind: z.enum(claimKinds),
  key: z.string().min(1).max(77),
  /** What the company is in it: it asked for the key, or holds it. */
  side: z.enum(["claimer", "holder"]),
  /** `opened` is sent to the holder, `under_way` to the claimer once the holder knows. */
  happened: z.enum(["opened", "under_way", "completed", "cancelled"]),
  at: outsideInstant,
});
export type DirectoryReport = z.output<typeof directoryReport>;

export interface Directory {
  /** Rejects when it is unknown whether it was done: ask again under the same id. Never inside a transaction. */
  ask(request: DirectoryRequest): Promise<DirectoryAnswer>;
  /** Reports without an acknowledgement, oldest first. May deliver one twice. */
  reports(max: number): Promise<readonly DirectoryReport[]>;
  /** Never delivers these again. The holder's claim goes on from here: its institution knows. */
  acknowledge(ids: readonly string[]): Promise<void>;
}
