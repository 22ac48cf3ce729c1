/** Tables that this folder owns (decision 0060). */
export const owns = ["users", "access_given", "sign_in_names", "api_credentials"];
