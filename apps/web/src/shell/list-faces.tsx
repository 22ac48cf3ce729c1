import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { FailedNotice, FailedQuery } from "./failed-query.tsx";
import styles from "./list-faces.module.css";

interface ListFacesProps<List> {
  query: UseQueryResult<List>;
  /** Text as `Carregando os recebimentos`. */
  loading: string;
  /** Text as `Ocorreu um erro ao buscar os recebimentos`. */
  failed: string;
  /** Content of an empty answer: why, and what to do next. */
  emptyFace: (list: List) => ReactNode;
  /** Placeholder in the shape of the content; lines when left out. */
  bones?: ReactNode;
  children: (list: List) => ReactNode;
}

const boneKeys = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** States of a list: loading, failed, empty, content, and content that could not be read again (SES-070). */
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
