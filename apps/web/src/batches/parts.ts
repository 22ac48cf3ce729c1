/** Parts of a batch that other screens show. */
export { NewBatchMenu } from "./new-batch-menu.tsx";
