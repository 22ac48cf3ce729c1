/** What of Pix keys is there on every page. */
export { ClaimsBanner } from "./claims-banner.tsx";
export { PixKeyLayers } from "./layers.tsx";
export { SendBalanceButton } from "./send-balance-button.tsx";
