import { ErrorState } from "../ui/error-state.tsx";
import { errorSentence } from "./call.ts";

/** A screen that broke or did not arrive. Reloading brings the newest version of every part. */
export function AppErrorPage({ error }: { error: unknown }) {
  return (
    <ErrorState
      title="Não foi possível abrir esta página"
      message={errorSentence(error)}
      onRetry={() => location.reload()}
    />
  );
}
