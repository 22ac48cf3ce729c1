import { useQuery } from "@tanstack/react-query";
import { CallError, errorSentence } from "../shell/call.ts";
import type { Session } from "../shell/session.ts";
import { ErrorState } from "../ui/error-state.tsx";
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
        <ErrorState
          title="Não foi possível abrir o lote"
          message={errorSentence(batch.error)}
          requestId={batch.error instanceof CallError ? batch.error.requestId : undefined}
          onRetry={() => void batch.refetch()}
          busy={batch.isFetching}
        />
      ) : (
        <LoadingState label="Carregando o lote">
          <Bone height={64} />
          <Bone height={420} />
        </LoadingState>
      )}
    </FullScreenModal>
  );
}
