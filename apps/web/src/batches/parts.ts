/** What other screens show of batches. */
export { NewBatchMenu } from "./new-batch-menu.tsx";
