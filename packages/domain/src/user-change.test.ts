import { describe, expect, it } from "vitest";
import { refuseApplications, refuseUserChange } from "./user-change.ts";

const both = ["payments", "validation"];
const admin = { id: "helena", isAdmin: true, applications: both };
const other = { id: "rui", isAdmin: false, applications: ["payments"] };

describe("changes of a user", () => {
  it("are for admins, also to restore what another admin has just revoked", () => {
    expect(refuseUserChange({ ...admin, isAdmin: false }, other)).toBe("forbidden");
    expect(refuseApplications({ ...admin, isAdmin: false }, ["payments"])).toBe("forbidden");
  });

  it("COM-025 never concern one's own record", () => {
    expect(refuseUserChange(admin, admin)).toBe("user_own_record");
  });

  it("stay within the admin's own applications, for granting and revoking", () => {
    const ofPayments = { ...admin, applications: ["payments"] };
    expect(refuseUserChange(ofPayments, { ...other, applications: both })).toBe("user_beyond_yours");
    expect(refuseUserChange(ofPayments, other, both)).toBe("user_beyond_yours");
    expect(refuseApplications(ofPayments, ["validation"])).toBe("user_beyond_yours");
    expect(refuseUserChange(ofPayments, other, ["payments"])).toBeUndefined();
    expect(refuseApplications(ofPayments, ["payments"])).toBeUndefined();
  });

  it("may concern another admin", () => {
    expect(refuseUserChange(admin, { ...other, isAdmin: true }, both)).toBeUndefined();
  });
});
