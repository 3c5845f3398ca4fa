// What Grafana's data source for ClickHouse does with its driver, clickhouse-go: protocol HTTP, LZ4, a ping, a look for tables,
// and a query of a panel. Argument: host and port.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/shopspring/decimal"
)

func main() {
	db := clickhouse.OpenDB(&clickhouse.Options{
		Addr:        []string{os.Args[1]},
		Protocol:    clickhouse.HTTP,
		Auth:        clickhouse.Auth{Database: "ton", Username: "analyst"},
		Compression: &clickhouse.Compression{Method: clickhouse.CompressionLZ4},
		DialTimeout: 10 * time.Second,
		Settings:    clickhouse.Settings{"max_execution_time": 30},
	})
	if err := db.PingContext(context.Background()); err != nil {
		fail("ping", err)
	}
	tables(db)
	panel(db)
	fmt.Println("ok")
}

func tables(db *sql.DB) {
	var count uint64
	if err := db.QueryRow("SELECT count() FROM system.tables WHERE database = 'ton'").Scan(&count); err != nil {
		fail("tables", err)
	}
	if count < 20 {
		fail("tables", fmt.Errorf("%d", count))
	}
}

func panel(db *sql.DB) {
	var day time.Time
	var amount decimal.NullDecimal
	row := db.QueryRow("SELECT toStartOfHour(block_time) AS time, sum(amount) FROM jetton_events WHERE block_time >= toDateTime(?) GROUP BY time ORDER BY time LIMIT 1", 0)
	if err := row.Scan(&day, &amount); err != nil {
		fail("panel", err)
	}
	if !amount.Valid || day.IsZero() {
		fail("panel", fmt.Errorf("%v %v", day, amount))
	}
}

func fail(step string, err error) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", step, err)
	os.Exit(1)
}
