import { uploadQuota } from "@malote/domain/limits";
import { AppError } from "../app-error.ts";
import { companyPlaces } from "./company-places.ts";

const max = uploadQuota.atOnceMax;
const takePlace = companyPlaces(max, () => new AppError("uploads_at_once", { max }));

/** Files on their way are on the disk before any quota counts them, so only a few of a company are. */
export async function withinUploadsAtOnce<T>(companyId: string, work: () => Promise<T>): Promise<T> {
  const giveBack = takePlace(companyId);
  try {
    return await work();
  } finally {
    giveBack();
  }
}
