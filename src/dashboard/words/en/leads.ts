export const enLeads = {
  empty: {
    title: "No leads yet",
    text: "What visitors enter in this link’s form appears here.",
  },
  at: "Time",
  entered: "Entered",
  actions: "Actions",
  download: "Download CSV",
  deleteOf: (at: string) => `Delete the lead of ${at}`,
  deleted: "Lead deleted",
  confirm: {
    title: "Delete this lead?",
    text: "What the visitor entered is erased. The lead still counts in all figures. This cannot be undone.",
  },
};
