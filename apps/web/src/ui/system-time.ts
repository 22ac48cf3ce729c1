/**
 * The system's clock, by its last answer. Days and months on screen are the system's, whatever the browser's clock
 * shows.
 */
const place = "malote.clock";
/** A smaller difference is the latency of the answer, not another clock. */
const noticedMs = 60_000;

function read(): number {
  try {
    return Number(sessionStorage.getItem(place)) || 0;
  } catch {
    return 0;
  }
}
let aheadMs = read();

/** Called for every answer; one without the moment changes nothing. */
export function noteSystemTime(serverTime: string | null, receivedAt: number = Date.now()): void {
  const moment = Date.parse(serverTime ?? "");
  if (Number.isNaN(moment)) return;
  const ahead = moment - receivedAt;
  aheadMs = Math.abs(ahead) < noticedMs ? 0 : ahead;
  try {
    // A reloaded page starts with the right month.
    sessionStorage.setItem(place, String(aheadMs));
  } catch {
    // Without storage the first answer sets it.
  }
}

export const systemNow = (): Date => new Date(Date.now() + aheadMs);
