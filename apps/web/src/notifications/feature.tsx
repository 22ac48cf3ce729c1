import { Suspense } from "react";
import type { Feature } from "../shell/feature.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import styles from "./notifications.module.css";

const LoadedBell = lazyPart(() => import("./bell.tsx"));

/** Its place is kept, so that nothing moves when it is there. */
function Bell() {
  return (
    <span className={styles.place}>
      <Suspense>
        <LoadedBell />
      </Suspense>
    </span>
  );
}

export const notifications: Feature = { pages: [], bell: Bell };
