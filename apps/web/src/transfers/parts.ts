/** Parts for forms of other features. Only for files that load when they are opened, because they load the form. */
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
