/** The items in the order of the page. */
import { EyeOff, Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { moveItem, newId } from "../link/route/draft";
import { Button, IconButton } from "../ui/button";
import { Chip } from "../ui/data";
import { Card, Text } from "../ui/layout";
import { Section } from "../ui/path/bars";
import { Steps } from "../ui/path/steps";
import { toast } from "../ui/toasts";
import { BLANK_ITEM, type ItemDraft } from "./draft";
import type { PagePartProps } from "./form";
import { ItemFields } from "./item-fields";
import { pagesWords as words } from "./words";

const ITEMS_MAX = 50;

export function Items({ draft: { items }, faults, mayEdit, edit }: PagePartProps) {
  const { pages } = words;
  const addButton = useRef<HTMLButtonElement>(null);
  const setItems = (change: (items: readonly ItemDraft[]) => readonly ItemDraft[]) =>
    edit((before) => ({ ...before, items: change(before.items) }));
  const remove = (item: ItemDraft, at: number) => {
    setItems((before) => before.filter(({ id }) => id !== item.id));
    addButton.current?.focus();
    const undo = () => setItems((before) => before.toSpliced(at, 0, item));
    toast({ text: pages.itemRemoved(item.title || pages.item(at + 1)), undo });
  };
  const add = mayEdit ? (
    <Button
      {...{ small: true, icon: Plus, ref: addButton, disabled: items.length >= ITEMS_MAX }}
      onClick={() => setItems((before) => [...before, { ...BLANK_ITEM, id: newId() }])}
    >
      {pages.addItem}
    </Button>
  ) : undefined;
  return (
    <Section title={pages.items} hint={mayEdit && items.length > 1 ? pages.itemsHint : undefined} actions={add}>
      {items.length === 0 ? (
        <Card>
          <Text soft>{pages.noItems}</Text>
        </Card>
      ) : null}
      <Steps
        label={pages.items}
        onMove={mayEdit ? (from, to) => setItems((before) => moveItem(before, from, to)) : undefined}
        steps={items.map((item, at) => {
          const name = pages.item(at + 1);
          return {
            ...{ id: item.id, name },
            marks: item.isActive ? null : <Chip icon={EyeOff}>{pages.hidden}</Chip>,
            actions: (
              <IconButton
                {...{ small: true, icon: Trash2, label: pages.removeItem(name) }}
                onClick={() => remove(item, at)}
              />
            ),
            children: (
              <ItemFields
                item={item}
                faultAt={(field) => faults[`links.${at}.${field}`]}
                onChange={(changes) =>
                  setItems((before) => before.map((each) => (each.id === item.id ? { ...each, ...changes } : each)))
                }
              />
            ),
          };
        })}
      />
    </Section>
  );
}
