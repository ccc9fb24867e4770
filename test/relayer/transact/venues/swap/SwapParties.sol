// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

contract PlainToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external virtual returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        move(from, to, amount);
        return true;
    }

    function move(address from, address to, uint256 amount) internal virtual {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// Keeps 3 % of every transfer.
contract TaxedToken is PlainToken {
    function move(address from, address to, uint256 amount) internal override {
        super.move(from, to, amount);
        uint256 tax = amount * 3 / 100;
        balanceOf[to] -= tax;
        totalSupply -= tax;
    }
}

/// Refuses to change an allowance that stands, as USDT does.
contract StrictToken is PlainToken {
    function approve(address spender, uint256 amount) external override returns (bool) {
        require(amount == 0 || allowance[msg.sender][spender] == 0, "approve");
        allowance[msg.sender][spender] = amount;
        return true;
    }
}

/// Acts by its mood when it is moved: burns all gas, answers with much, says what a quoter says, or keeps 3 %.
contract HostileToken is PlainToken {
    uint256 public mood;

    function set(uint256 next) external {
        mood = next;
    }

    function move(address from, address to, uint256 amount) internal override {
        if (mood == 1) while (true) totalSupply += 1;
        if (mood == 2) assembly { revert(0, 1000000) }
        if (mood == 3) assembly {
            mstore(0, not(0))
            mstore(32, shl(96, 1))
            revert(0, 96)
        }
        super.move(from, to, amount);
        if (mood == 4) balanceOf[to] -= amount * 3 / 100;
    }
}

/// An account that makes several calls in one transaction, or none of them.
contract BatchPayer {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    function run(Call[] calldata calls) external {
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool done, bytes memory said) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (!done) assembly { revert(add(said, 32), mload(said)) }
        }
    }

    receive() external payable {}
}
