/** Upload quota of a company (`uploadQuota`), computed from the records of its sheets. */
import { hourMs, minuteMs } from "@malote/domain/durations";
import { uploadQuota } from "@malote/domain/limits";
import { sql } from "kysely";
import { AppError } from "../../platform/app-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import { declareLock, lockFor } from "../../platform/db/locks.ts";

const uploadsLock = declareLock("uploads");

/**
 * Throws when a file of this size exceeds the quota. With `bytes` the check is final and serialised for the company;
 * without them it only spares a company past its quota the upload.
 */
export async function requireRoom(tx: Tx, now: Date, bytes = 0): Promise<void> {
  if (bytes > 0) await lockFor(tx, uploadsLock);
  const { rows } = await sql<{ files: number; sent: number; kept: number; first_at: Date | null }>`
    SELECT count(*) FILTER (WHERE created_at > ${new Date(now.getTime() - hourMs)}) AS files,
           coalesce(sum(file_bytes) FILTER (WHERE created_at > ${new Date(now.getTime() - hourMs)}), 0)::bigint AS sent,
           min(created_at) FILTER (WHERE created_at > ${new Date(now.getTime() - hourMs)}) AS first_at,
           coalesce(sum(file_bytes) FILTER (WHERE file_removed_at IS NULL), 0)::bigint AS kept
    FROM sheets WHERE company_id = ${tx.companyId}
  `.execute(tx);
  const { files = 0, sent = 0, kept = 0, first_at = null } = rows[0] ?? {};
  if (files >= uploadQuota.filesPerHourMax || sent + bytes > uploadQuota.bytesPerHourMax) {
    const freeAt = (first_at ?? now).getTime() + hourMs;
    throw new AppError("upload_quota_hour", {
      minutes: Math.max(1, Math.ceil((freeAt - now.getTime()) / minuteMs)),
    });
  }
  if (kept + bytes > uploadQuota.bytesKeptMax) {
    throw new AppError("upload_quota_kept", { limit: `${uploadQuota.bytesKeptMax / 1024 ** 3} GB` });
  }
}
