import { TextArea, TextField } from "@/dashboard/ui/field";
import { Card, Stack, Text } from "@/dashboard/ui/layout";
import type { LinkPagePartProps } from "./tab";
import { linkPageWords as words } from "./words";

export function SocialPreview({ draft: { social }, faults, set }: LinkPagePartProps) {
  const said = words.linkPage.social;
  const field = (name: "title" | "description" | "imageUrl") => ({
    ...{ label: said[name], value: social[name], fault: faults[`social.${name}`] },
    onChange: (value: string) => set({ social: { ...social, [name]: value } }),
  });
  return (
    <Card title={said.card}>
      <Stack>
        <Text soft>{said.hint}</Text>
        <TextField {...field("title")} hint={said.titleHint} maxLength={255} />
        <TextArea {...field("description")} maxLength={1_000} />
        <TextField {...field("imageUrl")} hint={said.imageHint} inputMode="url" />
      </Stack>
    </Card>
  );
}
