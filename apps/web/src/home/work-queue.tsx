import type { WorkItem } from "@malote/contracts/home";
import { useId } from "react";
import styles from "./home.module.css";
import { groupsOf } from "./work-groups.ts";
import { WorkRow } from "./work-row.tsx";

/** Items of work, by deadline. */
export function WorkQueue({ items, now }: { items: readonly WorkItem[]; now: Date }) {
  const id = useId();
  const groups = groupsOf(items, now);
  return (
    <>
      {groups.map(({ title, note, items: own }, n) => (
        <section key={title} aria-labelledby={`${id}${n}`} className={styles.group}>
          <h3 id={`${id}${n}`} className={styles.when}>
            {title}
            {note ? <span className="muted"> {note}</span> : null}
          </h3>
          <ul className={styles.items}>
            {own.map((item, index) => (
              <WorkRow
                key={`${item.kind} ${item.id}`}
                item={item}
                now={now}
                isFirst={n === 0 && index === 0}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
