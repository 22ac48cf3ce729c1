/** What other features may ask of reports. */
export { reportForms } from "./forms.ts";
