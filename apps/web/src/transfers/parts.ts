/** What a dialog of another feature is built of. Only for files that load when they are opened: it brings the form along. */
export { fieldNames, TransferField } from "./transfer-field.tsx";
export { emptyForm, type FieldName, formOfTransfer, type TransferForm } from "./transfer-form.ts";
export { suggestedText } from "./transfer-form-fields.tsx";
