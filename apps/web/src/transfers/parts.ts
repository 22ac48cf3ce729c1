/** What forms of other features are built of. Only for files that load when they are opened: it brings the form along. */
export {
  fieldId,
  fieldNames,
  nameOfField,
  pixKeyTypeOptions,
  TransferField,
  wayOptions,
} from "./transfer-field.tsx";
export {
  checkDestinationOfForm,
  emptyForm,
  type FieldName,
  formOfDestination,
  formOfTransfer,
  inputOfDraft,
  type TransferForm,
} from "./transfer-form.ts";
export { replacedText, Suggestion, suggestedText } from "./transfer-form-fields.tsx";
export { type TransferFormState, useTransferForm } from "./use-transfer-form.ts";
