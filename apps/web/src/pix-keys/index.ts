/** Parts of Pix keys that every page shows. */
export { ClaimsBanner } from "./claims-banner.tsx";
export { PixKeyLayers } from "./layers.tsx";
export { SendBalanceButton } from "./send-balance-button.tsx";
