import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { FailedNotice, FailedQuery } from "./failed-query.tsx";
import styles from "./list-faces.module.css";

interface ListFacesProps<List> {
  query: UseQueryResult<List>;
  /** `Carregando os recebimentos`. */
  loading: string;
  /** `Ocorreu um erro ao buscar os recebimentos`. */
  failed: string;
  /** An empty answer: why, and what to do next. */
  emptyFace: (list: List) => ReactNode;
  /** What is drawn while nothing is known: the shape of what comes. Left out, lines. */
  bones?: ReactNode;
  children: (list: List) => ReactNode;
}

const boneKeys = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** The faces of a list: loading, failed, nothing there, content; and content that could not be read again (SES-070). */
export function ListFaces<List>(props: ListFacesProps<List>) {
  const { query, loading, failed, emptyFace, bones, children } = props;
  const { data } = query;
  if (data !== undefined) {
    return (
      <>
        {query.isError ? <FailedNotice title={failed} query={query} /> : null}
        {emptyFace(data) ?? children(data)}
      </>
    );
  }
  if (query.isError) return <FailedQuery title={failed} query={query} />;
  return (
    <LoadingState label={loading}>
      {bones ?? (
        <div className={`panel ${styles.bones}`}>
          {boneKeys.map((key) => (
            <Bone key={key} height={20} />
          ))}
        </div>
      )}
    </LoadingState>
  );
}
