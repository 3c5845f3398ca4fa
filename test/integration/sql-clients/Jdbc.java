import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** What DBeaver does with ClickHouse's JDBC driver: looks for tables and columns, and reads values with their types. */
public class Jdbc {
    public static void main(String[] arguments) throws Exception {
        Properties login = new Properties();
        login.setProperty("user", "analyst");
        String url = "jdbc:clickhouse:http://127.0.0.1:" + arguments[0] + "/ton";
        try (Connection connection = DriverManager.getConnection(url, login)) {
            metadata(connection.getMetaData());
            values(connection);
            refusal(connection);
        }
        System.out.println("ok");
    }

    private static void metadata(DatabaseMetaData metadata) throws Exception {
        List<String> tables = texts(metadata.getTables(null, "ton", "%", null), "TABLE_NAME");
        check(tables.contains("messages") && tables.contains("dex_trades"), "tables " + tables);
        List<String> columns = texts(metadata.getColumns(null, "ton", "jetton_events", "%"), "COLUMN_NAME");
        check(columns.get(0).equals("type") && columns.contains("block_date"), "columns " + columns);
        check(texts(metadata.getSchemas(), "TABLE_SCHEM").contains("ton"), "schemas");
    }

    private static void values(Connection connection) throws Exception {
        String sql = "SELECT amount, block_date, block_time, source FROM jetton_events WHERE amount > ? LIMIT 1";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setBigDecimal(1, BigDecimal.ZERO);
            try (ResultSet row = statement.executeQuery()) {
                check(row.next(), "no row of jetton_events");
                check(row.getObject(1) instanceof BigDecimal, "amount " + row.getObject(1).getClass());
                check(row.getDate(2).getTime() > 0, "date");
                Timestamp time = row.getTimestamp(3);
                check(time.getTime() > 0, "time");
                check(row.getString(4) == null || row.getString(4).contains(":"), "source " + row.getString(4));
            }
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT interfaces FROM accounts LIMIT 1")) {
            check(row.next() && row.getArray(1) != null, "array");
        }
    }

    private static void refusal(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP VIEW ton.blocks");
        } catch (SQLException error) {
            return;
        }
        throw new AssertionError("a change was not refused");
    }

    private static List<String> texts(ResultSet rows, String column) throws Exception {
        List<String> found = new ArrayList<>();
        while (rows.next()) found.add(rows.getString(column));
        return found;
    }

    private static void check(boolean isRight, String text) {
        if (!isRight) throw new AssertionError(text);
    }
}
