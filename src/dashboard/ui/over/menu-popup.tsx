import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { classes } from "../classes";
import { Icon } from "../layout";
import type { MenuItem, MenuProps } from "../menu";

/** The menu itself. It starts open, because pressing its button has loaded it. */
export const MenuPopup = ({ trigger, groups, label }: MenuProps) => (
  <Base.Root modal={false} defaultOpen>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner sideOffset={4} collisionPadding={8} align="end" style={{ zIndex: 20 }}>
        <Base.Popup className="menu" aria-label={label}>
          {groups
            .filter((group) => group.length > 0)
            .map((group, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: groups have no name and keep their place
              <Base.Group key={index}>
                {index > 0 ? <Base.Separator className="menu-line" /> : null}
                {group.map((item, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: items keep their place while the menu is open
                  <Item key={place} {...item} />
                ))}
              </Base.Group>
            ))}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);

const Item = ({ label, icon, danger, disabled, isChosen, href, isDownload, onSelect }: MenuItem) => (
  <Base.Item
    className={classes("menu-item", danger && "danger")}
    disabled={disabled}
    onClick={onSelect}
    // biome-ignore lint/a11y/useAnchorContent: the item's content is put in by the menu
    {...(href === undefined ? {} : { render: <a href={href} download={isDownload} /> })}
  >
    {icon ? <Icon of={icon} /> : null}
    <span className="grow one-line">{label}</span>
    {isChosen ? <Icon of={Check} /> : null}
  </Base.Item>
);
