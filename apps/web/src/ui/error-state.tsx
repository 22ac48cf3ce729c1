import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

interface ErrorStateProps {
  /** What failed: `Não foi possível carregar os lotes`. */
  title: string;
  /** The server's sentence, with the next step. */
  message?: string | undefined;
  /** Code that the person quotes to support. */
  requestId?: string | undefined;
  onRetry?: () => void;
  busy?: boolean;
}

export function ErrorState({ title, message, requestId, onRetry, busy = false }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        drawing="clouds"
        title={title}
        action={
          onRetry ? (
            <Button look="primary" busy={busy} onClick={onRetry}>
              Tentar de novo
            </Button>
          ) : null
        }
      >
        {message ? <p>{message}</p> : null}
        {requestId ? (
          <p className="small faint">
            Código para o suporte: <code>{requestId.slice(0, 8)}</code>
          </p>
        ) : null}
      </EmptyState>
    </div>
  );
}
