import { uploadQuota } from "@malote/domain/limits";
import { AppError } from "../platform/app-error.ts";
import { companyPlaces } from "../platform/concurrency/company-places.ts";

const max = uploadQuota.atOnceMax;
const claimPlace = companyPlaces(max, () => new AppError("uploads_at_once", { max }));

/**
 * Runs an upload within the company's limit of concurrent uploads, because running uploads occupy the disk before any
 * quota counts them.
 */
export async function runWithinUploadLimit<T>(companyId: string, work: () => Promise<T>): Promise<T> {
  const releasePlace = claimPlace(companyId);
  try {
    return await work();
  } finally {
    releasePlace();
  }
}
