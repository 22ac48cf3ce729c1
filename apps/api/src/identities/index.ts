/**
 * Functions of identities, for features: users and API credentials of companies, who they are, what they may reach, and
 * what signs them in. Sign-in itself is in `session`, the management of users in `users`, of credentials in `developer`.
 */
export {
  type ApproverRow,
  listActors,
  listApprovers,
  listEditorsThrough,
  listInviters,
  listMadeBy,
  listPeople,
  listPreparersBehind,
  type Preparers,
  readAccessSince,
  readApprover,
  readEmails,
  readNames,
  readPreparers,
} from "./access-store.ts";
export { sqlEmailOf, sqlHasSecondFactor, sqlJoinUser, sqlPersonBehind, sqlUserName } from "./conditions.ts";
export {
  type CredentialRow,
  countCredentials,
  hasApplication,
  insertCredential,
  listCredentials,
  lockCredential,
  lockCredentialsAbove,
  lockMaker,
  markRevoked,
} from "./credential-store.ts";
export { emailAbout } from "./email-about.ts";
export {
  findPeopleWithRemoved,
  findPerson,
  listAdminIds,
  listPaymentAdmins,
  type Person,
} from "./people-store.ts";
export { endTwoFactor, secondFactors } from "./secret-store.ts";
export {
  changePasswordHash,
  changeUserName,
  endCredentialsMadeBy,
  findCredential,
  findUserByEmail,
  findUserSecrets,
  lockUserSecrets,
  markKnownSince,
  recordCredentialUse,
  recordRefusedSignIn,
  saveFactorSecret,
  spendStep,
  turnOffTwoFactor,
  turnOnTwoFactor,
} from "./sign-in-store.ts";
export {
  changeAccess,
  claimEmail,
  countUsers,
  deleteSignInName,
  findUser,
  insertUser,
  isEmailOfColleague,
  listOtherAdmins,
  listUsers,
  lockUsers,
  markUserRemoved,
  type StoredUser,
} from "./user-store.ts";
