import { uploadQuota } from "@malote/domain/limits";
import { AppError } from "../app-error.ts";

const underWay = new Map<string, number>();

/** Files on their way are on the disk before any quota counts them, so only a few of a company are. */
export async function withinUploadsAtOnce<T>(companyId: string, work: () => Promise<T>): Promise<T> {
  const others = underWay.get(companyId) ?? 0;
  if (others >= uploadQuota.atOnceMax) throw new AppError("uploads_at_once", { max: uploadQuota.atOnceMax });
  underWay.set(companyId, others + 1);
  try {
    return await work();
  } finally {
    const left = (underWay.get(companyId) ?? 1) - 1;
    if (left > 0) underWay.set(companyId, left);
    else underWay.delete(companyId);
  }
}
