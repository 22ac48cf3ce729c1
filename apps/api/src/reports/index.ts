/** Data of reports that other features may use. */
export { reportForms } from "./forms.ts";
