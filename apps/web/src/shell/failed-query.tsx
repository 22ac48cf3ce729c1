import { Button } from "../ui/button.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { CallError, errorSentence, generalText } from "./call.ts";

interface FailedQueryProps {
  /** What failed: `Não foi possível carregar os lotes`. */
  title: string;
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
}

/** One-line variant, for a missing part or for stale content. */
export function FailedNotice({ title, query: { error, isFetching, refetch } }: FailedQueryProps) {
  return (
    <Notice
      tone="red"
      title={title}
      alert
      action={
        <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
          Tentar de novo
        </Button>
      }
    >
      {errorSentence(error, generalText)}
    </Notice>
  );
}

/** Replaces the content: what failed, why, the code for support and a retry button. */
export function FailedQuery({ title, query: { error, isFetching, refetch } }: FailedQueryProps) {
  return (
    <ErrorState
      title={title}
      message={errorSentence(error, generalText)}
      requestId={error instanceof CallError ? error.requestId : undefined}
      onRetry={() => void refetch()}
      busy={isFetching}
    />
  );
}
