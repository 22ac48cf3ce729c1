/** Building parts of a payment's form and details. Only for files that load when they are opened. */
export { FormSection } from "./form-section.tsx";
export { hasKeptForm, useKeptForm } from "./kept-form.ts";
export { KeptFormNotice } from "./kept-form-notice.tsx";
export { OneLine, OpenBatchLink, OpenPaymentLink } from "./list-links.tsx";
export { type DetailLine, PaymentDetails } from "./payment-details.tsx";
export { PaymentsPage } from "./payments-page.tsx";
export { usePaymentsSearch } from "./payments-search.ts";
export { PendingPayment } from "./pending-payment.tsx";
export { usePaymentWizard } from "./use-payment-wizard.ts";
export { useLeaveWhenOver, WizardFrame } from "./wizard-frame.tsx";
