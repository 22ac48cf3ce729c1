/**
 * Pieces of a large body lie outside V8's heap. V8 looks through the whole heap when 64 MB of such pieces came together,
 * 40 ms in which nobody is answered, though nearly all of them are garbage already and looking at the young is enough.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const collectedEveryBytes = 8 * 1024 * 1024;

type CollectYoung = (options: { type: "minor" }) => void;
let collectYoung: CollectYoung | undefined;
let passed = 0;

/** To be told of every piece that was taken and will soon be let go of. */
export function passesThrough(bytes: number): void {
  passed += bytes;
  if (passed < collectedEveryBytes) return;
  passed = 0;
  collectYoung ??= openCollector();
  collectYoung({ type: "minor" });
}

/** Node has no call for it; V8 gives it to contexts made while it is asked to. */
function openCollector(): CollectYoung {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as CollectYoung;
  setFlagsFromString("--no-expose-gc");
  return collect;
}
