/** How much happens at which hour of which weekday: the darker, the more. */
import { countText } from "../format";
import { Hidden } from "../layout";

interface WeekProps {
  label: string;
  /** From Monday. */
  days: readonly string[];
  /** By the hour of the week, from Monday midnight. */
  counts: ReadonlyMap<number, number>;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const NAMED_EVERY = 6;

export function Week({ label, days, counts }: WeekProps) {
  const most = Math.max(1, ...counts.values());
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section className="table-box" tabIndex={0} aria-label={label}>
      <table className="week">
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {hour % NAMED_EVERY === 0 ? hour : <Hidden>{hour}</Hidden>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {HOURS.map((hour) => {
                const count = counts.get(index * HOURS.length + hour) ?? 0;
                return (
                  <td key={hour} title={`${day} ${hour}:00 · ${countText(count)}`}>
                    <span className="week-cell" style={{ opacity: count === 0 ? 0 : 0.15 + (0.85 * count) / most }} />
                    <Hidden>{countText(count)}</Hidden>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
