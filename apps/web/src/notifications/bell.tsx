import { Suspense } from "react";
import { lazyPart } from "../shell/lazy-part.ts";
import styles from "./notifications.module.css";

const BellButton = lazyPart(() => import("./bell-button.tsx"));

/** Loaded after the page. Its place is reserved, so that nothing moves when it appears. */
export function Bell() {
  return (
    <span className={styles.place}>
      <Suspense>
        <BellButton />
      </Suspense>
    </span>
  );
}
