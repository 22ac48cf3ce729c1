import { useQuery } from "@tanstack/react-query";
import { CallError } from "../shell/call.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import type { Session } from "../shell/session.ts";
import { FullScreenModal } from "../ui/full-screen-modal.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { BatchScreen } from "./batch-screen.tsx";
import { useTakeBackEmpty } from "./empty-drafts.ts";
import { batchQuery } from "./open-batch-api.ts";

interface BatchModalProps {
  id: string;
  session: Session;
  onClose: () => void;
}

/** Shows one batch on the whole screen (BAT-021), and here its states of loading and error. */
export default function BatchModal({ id, session, onClose }: BatchModalProps) {
  const batch = useQuery(batchQuery(id));
  useTakeBackEmpty(id);
  // A batch that was deleted meanwhile is not shown from the cache.
  const isGone = batch.error instanceof CallError && batch.error.status === 404;
  if (batch.data && !isGone)
    return <BatchScreen batch={batch.data} query={batch} session={session} onClose={onClose} />;
  return (
    <FullScreenModal opened onClose={onClose} title={batch.isError ? "Lote" : "Abrindo o lote"}>
      {batch.isError ? (
        <FailedQuery title="Não foi possível abrir o lote" query={batch} />
      ) : (
        <LoadingState label="Carregando o lote">
          <Bone height={64} />
          <Bone height={420} />
        </LoadingState>
      )}
    </FullScreenModal>
  );
}
