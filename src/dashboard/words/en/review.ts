const clicks = (count: number, text: string) => (count === 1 ? "1 click" : `${text} clicks`);

export const enReview = {
  tabs: { clicks: "Clicks", groups: "Addresses and links" },
  means:
    "Until you decide, these clicks count as bots, and those marked only “Many from one address” as people. " +
    "Confirm to remove a click from all figures; dismiss to count it as a person’s.",
  status: "Status",
  statuses: { pending: "Pending", confirmed: "Confirmed", dismissed: "Dismissed", all: "All" },
  acts: { pending: "Withdraw", confirmed: "Confirm", dismissed: "Dismiss" },
  actOn: {
    pending: (what: string) => `Withdraw: ${what}`,
    confirmed: (what: string) => `Confirm: ${what}`,
    dismissed: (what: string) => `Dismiss: ${what}`,
  },
  told: {
    pending: "Pending again. It counts as it did before",
    confirmed: "Confirmed. The click is removed from all figures",
    dismissed: "Dismissed. The click counts as a person’s",
  },
  score: (score: number) => `Score ${score}`,
  count: (count: number, text: string) => clicks(count, text),
  facts: (place: string, machine: string, time: string) => `${place} · ${machine} · ${time}`,
  address: (id: string) => `Address ${id}`,
  unknownAddress: "Unknown address",
  onlyLink: (link: string) => `Link: ${link}`,
  list: "Suspicious clicks",
  groups: "Suspicious clicks in groups",
  by: "Group by",
  bys: { address: "Address", link: "Link" },
  ofAddress: (count: number, text: string, links: number, span: string) =>
    `${clicks(count, text)} on ${links === 1 ? "1 link" : `${links} links`} · ${span}`,
  ofLink: (count: number, text: string, addresses: number, span: string) =>
    `${clicks(count, text)} from ${addresses === 1 ? "1 address" : `${addresses} addresses`} · ${span}`,
  span: (first: string, last: string) => `${first} – ${last}`,
  empty: {
    title: "Nothing to review",
    text: "No suspicious clicks are waiting for a verdict: your figures need no correction.",
    none: "No clicks have this status",
    noneText: "Clicks appear here after you confirm or dismiss them.",
    toPending: "Show pending clicks",
  },
  many: {
    effect: {
      pending: (count: number, text: string) =>
        count === 1 ? "1 click counts as it did before its verdict." : `${text} clicks count as before their verdicts.`,
      confirmed: (count: number, text: string) =>
        count === 1 ? "1 click is removed from all figures." : `${text} clicks are removed from all figures.`,
      dismissed: (count: number, text: string) =>
        count === 1
          ? "1 click counts as a person’s in all figures."
          : `${text} clicks count as people’s in all figures.`,
    },
    later: "You can change this later, under their new status.",
    done: {
      pending: (count: number, text: string) => `${clicks(count, text)} pending again`,
      confirmed: (count: number, text: string) => `${clicks(count, text)} confirmed`,
      dismissed: (count: number, text: string) => `${clicks(count, text)} dismissed`,
    },
  },
};
