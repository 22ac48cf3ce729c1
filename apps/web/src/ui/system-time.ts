/**
 * The system's clock, by its last answer. Days and months on screen are the system's, whatever the browser's clock
 * says.
 */
const place = "malote.clock";
/** Less is the way of the answer, and no other clock. */
const noticedMs = 60_000;

function read(): number {
  try {
    return Number(sessionStorage.getItem(place)) || 0;
  } catch {
    return 0;
  }
}
let aheadMs = read();

/** From every answer; an answer without the moment changes nothing. */
export function noteSystemTime(serverTime: string | null, receivedAt: number = Date.now()): void {
  const moment = Date.parse(serverTime ?? "");
  if (Number.isNaN(moment)) return;
  const ahead = moment - receivedAt;
  aheadMs = Math.abs(ahead) < noticedMs ? 0 : ahead;
  try {
    // A page that is opened anew begins with the right month.
    sessionStorage.setItem(place, String(aheadMs));
  } catch {
    // A browser without storage gets it with its first answer.
  }
}

export const systemNow = (): Date => new Date(Date.now() + aheadMs);
