import { useQuery } from "@tanstack/react-query";
import { FailedQuery } from "../shell/failed-query.tsx";
import type { Session } from "../shell/session.ts";
import { FullScreenModal } from "../ui/full-screen-modal.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { BatchScreen } from "./batch-screen.tsx";
import { batchQuery } from "./open-batch-api.ts";

interface BatchModalProps {
  id: string;
  session: Session;
  onClose: () => void;
}

/** One batch on the whole screen (BAT-021). Here its first faces: loading and what failed. */
export default function BatchModal({ id, session, onClose }: BatchModalProps) {
  const batch = useQuery(batchQuery(id));
  if (batch.data) return <BatchScreen batch={batch.data} session={session} onClose={onClose} />;
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
