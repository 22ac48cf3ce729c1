import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { lazyPart } from "../shell/lazy-part.ts";
import { Button } from "../ui/button.tsx";
import { formatCount } from "../ui/format.ts";
import styles from "./batch-screen.module.css";
import { countOf, exampleOf, groupTitle } from "./group-title.ts";
import { type IssueGroup, issueGroupsQuery, keyOfGroup } from "./open-batch-api.ts";
import type { BatchDesk } from "./use-batch-desk.ts";

const FixGroupDialog = lazyPart(() => import("./fix-group-dialog.tsx"));

/** Groups mistakes that are fixed together: 37 rows with the same unknown bank are one decision, not 37. */
export default function IssueGroups({ desk }: { desk: BatchDesk }) {
  const groups = useQuery(issueGroupsQuery(desk.id));
  const [fixing, setFixing] = useState<IssueGroup | null>(null);
  const shared = (groups.data?.data ?? []).filter(({ count }) => count > 1);
  return (
    <>
      {shared.length > 0 ? (
        <section className="panel" aria-labelledby="batch-groups">
          <h2 id="batch-groups" className={styles.groupsHead}>
            Erros que se repetem
          </h2>
          <ul className={styles.groups}>
            {shared.map((group) => (
              <li key={keyOf(group)} className={styles.group}>
                <div>
                  <div className="strong">{groupTitle(group)}</div>
                  <div className="small muted">
                    {countOf(group)} · {exampleOf(group)}
                  </div>
                </div>
                <Button size="sm" onClick={() => setFixing(group)}>
                  Corrigir {group.count === 2 ? "as duas iguais" : `as ${formatCount(group.count)} iguais`}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {fixing ? (
        <Suspense>
          <FixGroupDialog batchId={desk.id} group={fixing} onClose={() => setFixing(null)} />
        </Suspense>
      ) : null}
    </>
  );
}

const keyOf = (group: IssueGroup) => Object.values(keyOfGroup(group)).join(" ");
