/** Rows that scroll with the page. Only visible rows are rendered, however many there are. */
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";

const BEYOND = 12;
/** What a bar that stays in sight may cover at the top. */
const COVERED_PX = 56;

interface VirtualRowsProps<Row> {
  rows: readonly Row[];
  /** The height of a row that does not need more. */
  rowPx: number;
  label: string;
  keyOf(row: Row): string;
  children(row: Row, index: number): ReactNode;
  /** Index of the row selected by keyboard, which is kept in view. */
  current?: number;
  /** Called when the last rows are about to become visible. */
  onEnd?(): void;
}

export function VirtualRows<Row>({ rows, rowPx, label, keyOf, children, current = -1, onEnd }: VirtualRowsProps<Row>) {
  const list = useRef<HTMLUListElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPx,
    overscan: BEYOND,
    scrollPaddingStart: COVERED_PX,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => keyOf(rows[index] as Row),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= rows.length - BEYOND) onEnd?.();
  }, [last, rows.length, onEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls when another row is chosen, not when rows come
  useEffect(() => {
    if (current >= 0) virtual.scrollToIndex(current);
  }, [current]);
  return (
    <ul ref={list} aria-label={label} style={{ position: "relative", height: virtual.getTotalSize() }}>
      {items.map(({ key, index, start }) => (
        <li
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          aria-setsize={rows.length}
          aria-posinset={index + 1}
          style={{
            position: "absolute",
            insetInline: 0,
            minHeight: rowPx,
            transform: `translateY(${start - virtual.options.scrollMargin}px)`,
          }}
        >
          {children(rows[index] as Row, index)}
        </li>
      ))}
    </ul>
  );
}
